"""The proxy by which a platform is reached: all adapters heed the same variables of the environment."""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp


def proxy_for(scheme: str, host: str) -> str | None:
    """Return the proxy that the environment names for a server (HTTPS_PROXY, ALL_PROXY, NO_PROXY), None for none.

    Raises `NonHttpUrlClientError` for one that does not speak HTTP, rather than going past it.
    """
    named = getproxies()
    proxy = named.get(scheme) or named.get("all")
    if not proxy or proxy_bypass(host):
        return None
    address = proxy if "://" in proxy else f"http://{proxy}"
    if not address.startswith(("http://", "https://")):
        raise aiohttp.NonHttpUrlClientError(urlsplit(address).scheme)
    return address
