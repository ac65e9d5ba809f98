"""The openai client and its connections: one exchange with a server, each way to fail being one of our errors.

The body goes out as we have written it, by the client's `post`: its typed methods walk all parameters one by one. That
of the answer is read by our own parser, since everything in it may be garbage.

The connections are aiohttp's, as a transport of the client's HTTP library: its own takes twice the CPU. The client has
such a transport, too, but that tells a cut connection as one that was never made; here what certainly did not leave and
what is in doubt are told apart. aiohttp never sends a POST twice.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any
from urllib.request import getproxies

import aiohttp
import anyio
import httpx2
import openai

from core.agents.llm.openai.completion import MAX_STREAM, Streamed, Whole
from core.agents.llm.openai.failures import TryAgain, failure, retry_after
from core.kernel.errors import AccountRefused, ModelRefused
from core.kernel.ports import Clock
from core.kernel.strict_json import clean

# What the client allows its own transport.
MOST_CONNECTIONS = 1000
KEPT_SECONDS = 5.0
LONGEST_HEADER = 100 * 1024
# The first that fits: those before a connection was there, then silence, then what broke or made no sense.
_ERRORS: tuple[tuple[type[Exception], type[httpx2.RequestError]], ...] = (
    (aiohttp.ConnectionTimeoutError, httpx2.ConnectTimeout),
    (aiohttp.ClientConnectorError, httpx2.ConnectError),
    (aiohttp.InvalidURL, httpx2.UnsupportedProtocol),
    (TimeoutError, httpx2.ReadTimeout),
    (aiohttp.ClientOSError, httpx2.ReadError),
    (aiohttp.ClientError, httpx2.RemoteProtocolError),
    (OSError, httpx2.ReadError),
)


@contextmanager
def _translated() -> Iterator[None]:
    """Raise aiohttp's errors as those of the client's library; what they say may quote an address, and is left out."""
    try:
        yield
    except (aiohttp.ClientError, OSError) as error:
        kind = next(kind for cause, kind in _ERRORS if isinstance(error, cause))
        raise kind(type(error).__name__) from error


class _Body(httpx2.AsyncByteStream):
    """The body of an answer, as it comes. None is longer than `MAX_STREAM`, whatever its server sends."""

    def __init__(self, answer: aiohttp.ClientResponse) -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        came = 0
        with _translated():
            async for block in self._answer.content.iter_any():
                came += len(block)
                if came > MAX_STREAM:
                    raise httpx2.RemoteProtocolError("the body is longer than any answer")
                yield block

    async def aclose(self) -> None:
        """Give the connection back; one whose answer was not read to its end is closed."""
        self._answer.release()


@cache
def certificates() -> ssl.SSLContext:
    """Read the certificates once: it takes 20 ms and more."""
    return httpx2.create_ssl_context()


class Transport(httpx2.AsyncBaseTransport):
    """Connections to servers, opened on first use. It knows no proxies."""

    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request once, and return its answer when that has begun."""
        if self._session is None:
            connector = aiohttp.TCPConnector(limit=MOST_CONNECTIONS, keepalive_timeout=KEPT_SECONDS)
            self._session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                max_line_size=LONGEST_HEADER,
                max_field_size=LONGEST_HEADER,
            )
        # What the network has to say comes first: a connection that was closed meanwhile is none to send on. At the
        # first turn of the loop it is looked at, behind us; at the second it has been heard, with TLS at the third.
        for _ in range(3):
            await asyncio.sleep(0)
        seconds = request.extensions["timeout"]
        limits = aiohttp.ClientTimeout(
            connect=seconds["connect"], sock_connect=seconds["connect"], sock_read=seconds["read"]
        )
        # The client's library has made a header of a name and password in the address; aiohttp refuses both together.
        url = request.url.copy_with(username=None, password=None) if request.url.userinfo else request.url
        with _translated():
            answer = await self._session.request(
                request.method,
                str(url),
                headers=request.headers.multi_items(),
                data=await request.aread(),
                timeout=limits,
                ssl=certificates() if url.scheme == "https" else True,
                allow_redirects=False,
                auto_decompress=False,
            )
        return httpx2.Response(
            answer.status, headers=answer.raw_headers, stream=_Body(answer), extensions={"http_version": b"HTTP/1.1"}
        )

    async def aclose(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()


CONNECT_SECONDS = 10.0
# What the client itself takes for a broken connection; it does not while a stream is read.
BROKEN = (httpx2.RequestError, ssl.SSLError, anyio.EndOfStream)
# The request certainly did not leave: nobody can have worked on it.
UNSENT = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.ProxyError,
    httpx2.UnsupportedProtocol,
    httpx2.LocalProtocolError,
)


def connected(base_url: str, key: str) -> openai.AsyncOpenAI:
    """Return the openai client. Raises `AccountRefused` where the environment names a proxy that cannot be used."""
    try:
        # Proxies are of many kinds, which the client's own transport knows.
        own: dict[str, Any] = {"verify": certificates()} if getproxies() else {"transport": Transport()}
        http = openai.DefaultAsyncHttpxClient(**own)
        return openai.AsyncOpenAI(base_url=base_url, api_key=key, max_retries=0, http_client=http)
    except (ImportError, ValueError, httpx2.InvalidURL) as error:
        # What it says may quote the proxy's password.
        name = type(error).__name__
        raise AccountRefused(f"The proxy of the environment cannot be used ({name}). Check HTTPS_PROXY.") from None


class Client:
    """The connections to one server, and the model asked there; without a key the server gets the word "none"."""

    def __init__(self, base_url: str, key: str, clock: Clock) -> None:
        # Servers without keys want some header all the same; the client insists on one.
        self._key = key or "none"
        self._client = connected(base_url, self._key)
        # Whole: what is joined to the base for each call is parsed three times. What the address asks for stays behind.
        base = httpx2.URL(base_url)
        path, sign, asks = base.raw_path.partition(b"?")
        self._urls = {
            one: str(base.copy_with(raw_path=path.rstrip(b"/") + one.encode() + sign + asks))
            for one in ("/chat/completions", "/responses")
        }
        self._clock = clock

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def exchange(
        self, path: str, body: Mapping[str, Any], end: float, heard: Streamed | None
    ) -> tuple[Whole | Streamed, int]:
        """Return the answer, heard as a stream if so wished, and how many bytes were sent; `body` names the model,
        `path` is the endpoint behind the base, `end` the loop's time.

        Raises `ModelRefused`, or `TryAgain` where another attempt may help.
        """
        seconds, name = end - asyncio.get_running_loop().time(), str(body["model"])
        if seconds <= 0:
            raise TryAgain(f"Model {name} could not be asked in time.")
        timeout = openai.Timeout(max(seconds, 0.001), connect=max(min(seconds, CONNECT_SECONDS), 0.001))
        try:
            async with asyncio.timeout_at(end):
                response = await self._client.post(
                    self._urls[path],
                    cast_to=httpx2.Response,
                    body=dict(body),
                    options={"timeout": timeout, "security": {"bearer_auth": True}},
                    stream=heard is not None,
                )
                sent = len(await response.request.aread())
                if heard is None:
                    return Whole(response.content), sent
                await self._listen(name, response, heard)
                return heard, sent
        except (TimeoutError, openai.APITimeoutError) as error:
            raise TryAgain(f"Model {name} did not answer in time.", taken=_may_have_arrived(error)) from None
        except openai.APIStatusError as error:
            answer = error.body.get("message") if isinstance(error.body, dict) else error.body
            # Some providers repeat the key they refuse.
            said = clean(answer if isinstance(answer, str) else "").replace(self._key, "[key]")
            pause, code = retry_after(error.response.headers, self._clock.now()), str(error.code or "")
            status, whole = error.status_code, str(error.body)
            talk = body.get("messages") or body.get("input") or ()
            raise failure(status, said, code, name, pause, asked=body.keys(), body=whole, talk=talk) from None
        except openai.OpenAIError as error:
            problem = f"The connection to model {name} failed: {type(error.__cause__ or error).__name__}."
            raise TryAgain(problem, taken=_may_have_arrived(error)) from None
        except BROKEN as error:
            # A refusal that is read although a stream was asked for.
            problem = f"The connection to model {name} failed: {type(error).__name__}."
            raise TryAgain(problem, taken=True) from None
        except (TypeError, ValueError) as error:
            raise ModelRefused(f"The request cannot be written as JSON: {type(error).__name__}.") from None

    @staticmethod
    async def _listen(model: str, response: httpx2.Response, heard: Streamed) -> None:
        """Read the answer while it is written, and close it. Raises `TryAgain` if it breaks off."""
        try:
            await heard.read(response.aiter_bytes())
        except BROKEN as error:
            if not heard.draft.whole:
                problem = type(error).__name__
                raise TryAgain(f"The connection to model {model} failed: {problem}.", taken=True) from None
        finally:
            await response.aclose()
        if heard.broken_off:
            raise TryAgain(f"The answer of model {model} broke off.", taken=True)


def _may_have_arrived(error: BaseException) -> bool:
    """Return whether the provider may have the request, for which it may charge, in spite of `error`."""
    return not isinstance(error.__cause__, UNSENT)
