"""BM25 over the candidates of a search, with the weights that terms have in all that was searched.

It needs numpy by way of rank-bm25, so it is loaded with the first search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rank_bm25 import BM25Okapi

from core.store.text_index.index import TermCounts

# How much a long text is weighed down (0: not at all, 1: as much as it is longer): a long turn of a talk says more.
LENGTH = 0.5


class Ranking(BM25Okapi):  # type: ignore[misc] # it has no types
    """BM25 of documents, given as how often each has which term and how long it is, with the given weights of terms.

    Candidates all have a term of the question, so how rare a term is cannot be told from them.
    """

    def __init__(
        self, frequencies: Sequence[Mapping[str, float]], lengths: Sequence[float], idf: Mapping[str, float]
    ) -> None:
        self._frequencies, self._lengths, self._given = frequencies, lengths, idf
        super().__init__(frequencies, b=LENGTH)

    def _initialize(self, corpus: Sequence[Mapping[str, float]]) -> dict[str, int]:
        self.doc_freqs, self.doc_len = list(corpus), list(self._lengths)
        self.corpus_size = len(corpus)
        self.avgdl = sum(self._lengths) / len(corpus)
        return {}

    def _calc_idf(self, nd: Mapping[str, float]) -> None:
        self.idf = dict(self._given)


def scores(texts: Sequence[Sequence[tuple[float, TermCounts]]], idf: Mapping[str, float]) -> list[float]:
    """Return the score of each text for the terms that have an `idf`; a text is made of words and what they weigh."""
    frequencies, lengths = [], []
    for parts in texts:
        counted: dict[str, float] = {}
        for weight, words in parts:
            for term, n in words.terms.items():
                counted[term] = counted.get(term, 0) + weight * n
        frequencies.append(counted)
        lengths.append(sum(weight * words.length for weight, words in parts))
    return [float(score) for score in Ranking(frequencies, lengths, idf).get_scores(list(idf))]
