"""What is taken for an address, and which of them are public."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.toolkit.fetch.addresses import is_public, is_this_machine, own_networks, target
from core.toolkit.fetch.values import FetchError

INSIDE = (
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254",
    "168.63.129.16", "169.254.0.1", "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.255", "192.0.0.1",
    "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255",
    "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::7f00:1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1", "64:ff9b:1::a00:1", "100::1", "2001::1", "2001:0:7f00:1::1", "2001:10::1", "2001:20::1",
    "2001:2::1", "2001:db8::1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "3fff::1", "4000::1", "5f00::1", "fc00::1",
    "fd00:ec2::254", "fe80::1", "fe80::1%1", "fec0::1", "ff02::1", "ff0e::1",
)  # fmt: skip
PUBLIC = (
    "1.1.1.1", "8.8.8.8", "93.184.216.34", "100.63.255.255", "100.128.0.1", "168.63.129.15", "172.15.255.255",
    "172.32.0.1", "192.0.1.1", "192.167.255.255", "198.17.255.255", "198.20.0.1", "223.255.255.255",
    "2001:200::1", "2001:4860:4860::8888", "2606:4700::6810:84e5", "2a00:1450:4001:80b::200e", "3ffe::1",
)  # fmt: skip


@pytest.mark.parametrize("address", INSIDE)
def test_what_is_not_public_is_not_taken_for_it(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_what_is_public_is_taken_for_it(address: str) -> None:
    assert is_public(ip_address(address))


@given(st.ip_addresses(v=4))
def test_no_private_ipv4_address_gets_through(address: IPv4Address) -> None:
    assert not (is_public(address) and (address.is_private or address.is_multicast or address.is_loopback))


@given(st.ip_addresses(v=6))
def test_no_ipv4_address_gets_through_in_the_clothes_of_ipv6(address: IPv6Address) -> None:
    if is_public(address):
        assert (address.ipv4_mapped, address.sixtofour, address.teredo) == (None, None, None)


def test_the_addresses_of_this_machine_are_known_without_a_packet() -> None:
    assert is_this_machine(IPv4Address("127.0.0.1"))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(("192.0.2.1", 9))
        except OSError:
            return  # a machine without a network has no further address
        own = way.getsockname()[0]
    assert is_this_machine(IPv4Address(own))
    assert not is_this_machine(IPv4Address("192.0.2.1"))


REFUSED = (
    "", "example.org", "//example.org", "ftp://example.org/", "file:///etc/passwd", "gopher://example.org/", "data:,x",
    "javascript:alert(1)", "http:example.org", "http:///path", "http://", "https://@", "http://user@example.org/",
    "http://user:pass@example.org/", "http://example.org@evil.org/", "http://example.org:0/", "http://example.org:/",
    "http://example.org:99999/", "http://example.org:8x/", "http://exa mple.org/", "http://example.org/\r\nX: y",
    "http://example.org\\@evil.org/", "http://example.org\t.evil.org/", "http://ex\0ample.org/", "http://-a.org/",
    "http://a..b/", "http://[::1", "http://[fe80::1%25eth0]/", "http://[fe80::1%1]/", "http://[v1.x]/",
    "http://2130706433/", "http://0x7f000001/", "http://0x7f.1/", "http://127.1/", "http://0177.0.0.1/",
    "http://017700000001/", "http://127.0.0.0x1/", "http://1.2.3/", "http://1.2.3.4.5/", "http://256.1.1.1/",
    "http://a" + "b" * 64 + ".org/", "http://" + "a." * 130 + "org/", "http://example.org/" + "x" * 4000,
    "http://１２７.1/",
)  # fmt: skip


@pytest.mark.parametrize("url", REFUSED)
def test_what_could_be_read_in_several_ways_is_no_address(url: str) -> None:
    with pytest.raises(FetchError) as refusal:
        target(url)
    assert refusal.value.code == "bad_url"
    assert str(refusal.value)


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("HTTPS://Example.ORG", "https://example.org/"),
        ("https://example.org:443/a?b=c#d", "https://example.org/a?b=c"),
        ("http://example.org:8080/a b".replace(" ", "%20"), "http://example.org:8080/a%20b"),
        ("https://example.org./x", "https://example.org/x"),
        ("https://bücher.example/ä?ö=ü", "https://xn--bcher-kva.example/%C3%A4?%C3%B6=%C3%BC"),
        ("https://ｅｘａｍｐｌｅ.org/", "https://example.org/"),
        ("http://[2606:4700:0::1]/", "http://[2606:4700::1]/"),
        ("http://１.1.1.1/", "http://1.1.1.1/"),
        ("https://a_b.example.org/", "https://a_b.example.org/"),
    ],
)
def test_an_address_is_read_in_one_way(url: str, read: str) -> None:
    assert target(url).url == read
    assert target(read).url == read


@pytest.mark.parametrize(
    ("onward", "read"),
    [
        ("/b?c", "https://example.org/b?c"),
        ("b", "https://example.org/a/b"),
        ("//other.org/x", "https://other.org/x"),
        ("http://other.org", "http://other.org/"),
    ],
)
def test_where_a_redirect_leads_is_read_from_where_it_stands(onward: str, read: str) -> None:
    assert target(onward, target("https://example.org/a/")).url == read


@example("http://[::ffff:127.0.0.1]/")
@example("http://①②⑦.⓪.⓪.①/")
@given(st.from_regex(r"https?://[\[\]@:/?#%\\.0-9a-fx①⑦１７。·-]{1,40}", fullmatch=True) | st.text(max_size=60))
def test_whatever_is_written_an_address_is_refused_or_has_one_plain_host(url: str) -> None:
    try:
        found = target(url)
    except FetchError:
        return
    assert found.url.isascii()
    assert found.url.isprintable()
    assert " " not in found.url
    assert not set(found.host) & set("@/\\?#%")
    assert target(found.url) == found
    last = found.host.rpartition(".")[2]
    if last.isdigit() or ":" in found.host:
        assert str(ip_address(found.host)) == found.host


def test_the_owner_lists_networks_and_names() -> None:
    own = own_networks(("192.168.1.0/24", "nas.local", "10.0.0.5", "fd00::/8"))
    assert own.has("x", ip_address("192.168.1.7"))
    assert own.has("nas.local", ip_address("172.16.0.1"))
    assert own.names("10.0.0.5")
    assert own.names("nas.local")
    assert not own.names("other.local")
    assert not own.has("x", ip_address("192.168.2.7"))


@pytest.mark.parametrize("listed", ["192.168.1.1/24", "300.1.1.1", "a b", "http://nas", "1.2.3", "nas/8"])
def test_what_is_no_network_is_refused_by_name(listed: str) -> None:
    with pytest.raises(ValueError, match=listed.replace(".", r"\.")):
        own_networks((listed,))
