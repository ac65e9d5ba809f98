"""For how long a sound plays, by what is in it. Whoever makes one writes into it what they like: nothing here is slow,
whatever that is."""

from __future__ import annotations

import re

# How long the frames of Opus are, in milliseconds, by the number of their kind (RFC 6716, 3.1).
_FRAMES = (*(10, 20, 40, 60) * 3, *(10, 20) * 2, *(2.5, 5, 10, 20) * 4)
_PAGE, _HEAD = b"OggS", b"OpusHead"
# A packet goes on behind a part of so many bytes (RFC 3533, 6).
_PART = 255
# A frame of an mp3 begins so (ISO 11172-3, 2.4.1.3): MPEG 2.5, 2 or 1, layer III, with a rate of bits and of samples.
_FRAME = re.compile(
    rb"\xff[\xe2\xe3\xf2\xf3\xfa\xfb][\x10-\x1b\x20-\x2b\x30-\x3b\x40-\x4b\x50-\x5b\x60-\x6b\x70-\x7b"
    rb"\x80-\x8b\x90-\x9b\xa0-\xab\xb0-\xbb\xc0-\xcb\xd0-\xdb\xe0-\xeb]"
)
_KILOBITS = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_KILOBITS_2 = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)
_RATES = (44_100, 48_000, 32_000)
# So many bytes play for a second at the lowest rate.
_LEAST = 1_000
# So often the next frame is looked for, or the next part of a film.
_MOST_GAPS, _MOST_BOXES = 20_000, 200
_UNKNOWN = frozenset({0xFFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF})


def played(sound: bytes, most: int) -> int:
    """Return for how many seconds a sound plays, as far as a little more than `most`: an Ogg file with Opus by its
    packets, an mp3 by its frames, a film (mp4, m4a, mov) as its header says; 0 for another one."""
    if _HEAD in sound[:512]:
        return int(_packets(sound, most))
    if sound[4:8] == b"ftyp":
        return min(_header(sound), most + 1)
    return int(_frames(sound, most))


def _packets(sound: bytes, most: int) -> float:
    """Return for how many seconds the packets of an Ogg file play. What its pages say of the time is not looked at, nor
    is whether they are whole: decoders go on behind a damaged one."""
    milliseconds, begins = 0.0, True
    at = sound.find(_PAGE)
    while 0 <= at < len(sound) - 26 and milliseconds < 1000 * (most + 1):
        packets = at + 27
        body = packets + sound[at + 26]
        for size in sound[packets:body]:
            if begins and body + 1 < len(sound) and sound[body : body + 4] != _HEAD[:4]:
                kind = sound[body]
                # One frame, two, or as many as the next byte says; OpusHead and OpusTags are none.
                frames = (1, 2, 2, sound[body + 1] & 63)[kind & 3]
                milliseconds += max(frames, 1) * _FRAMES[kind >> 3]
            begins = size < _PART
            body += size
        at = sound.find(_PAGE, packets)
    return milliseconds / 1000


def _frames(sound: bytes, most: int) -> float:
    """Return for how many seconds the frames of an mp3 play. Decoders go on behind what is none, where two follow each
    other. Behind too much of that all counts at the lowest rate."""
    at, seconds, follows = 0, 0.0, -1
    if sound[:3] == b"ID3":
        # Seven bits of each byte say how long what stands in front is.
        at = 10 + sum((byte & 127) << shift for byte, shift in zip(sound[6:10], (21, 14, 7, 0), strict=False))
    for _ in range(_MOST_GAPS):
        while seconds < most + 1 and _FRAME.match(sound, at):
            first = sound[at + 1] & 8
            kilobits = (_KILOBITS if first else _KILOBITS_2)[sound[at + 2] >> 4]
            rate = _RATES[sound[at + 2] >> 2 & 3] >> (0 if first else 1 if sound[at + 1] & 16 else 2)
            samples = 1152 if first else 576
            end = at + samples * 125 * kilobits // rate + (sound[at + 2] >> 1 & 1)
            if at != follows and not _FRAME.match(sound, end):
                break
            seconds, at, follows = seconds + samples / rate, end, end
        found = _FRAME.search(sound, at + 1)
        if found is None or seconds >= most + 1:
            break
        at = found.start()
    else:
        # Whoever hides frames among so much that looks like some makes nothing shorter by it.
        seconds = min(seconds + (len(sound) - at) / _LEAST, most + 1)
    return seconds


def _header(sound: bytes) -> int:
    """Return how many seconds a film says that it has (ISO 14496-12, 8.2.2); 0 where it doesn't."""

    def number(at: int, size: int) -> int:
        return int.from_bytes(sound[at : at + size])

    at = 0
    for _ in range(_MOST_BOXES):
        size, kind, body = number(at, 4), sound[at + 4 : at + 8], at + 8
        if size == 1:
            size, body = number(at + 8, 8), at + 16
        if kind == b"mvhd":
            times, wide = (body + 20, 8) if sound[body : body + 1] == b"\1" else (body + 12, 4)
            scale, length = number(times, 4), number(times + 4, wide)
            return 0 if length in _UNKNOWN else length // (scale or 1)
        if kind != b"moov" and size < body - at:
            return 0
        at = body if kind == b"moov" else at + size
    return 0
