"""Escaping and cutting, judged by an independent Markdown parser (markdown-it-py with GitHub's tables and links)."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.markdown import ELLIPSIS, Block, clipped, fitted, link, size
from checks import names
from checks.markdown import BREAK, code, escape, fenced

PARSER = MarkdownIt("gfm-like", {"linkify": True})
HOSTILE = (
    "@octo-org/submitters",
    "fixes #12",
    "GH-7 and octo/repo#3",
    "https://evil.example/x",
    "www.evil.example",
    "S_www.evil.example",
    "_https://evil.example/x",
    "1https://evil.example/x",
    "9FTP://evil.example",
    "~mailto:a@evil.example",
    "mail@evil.example",
    "![x](https://evil.example/pixel.png)",
    "[click](javascript:alert(1))",
    "<img src=x onerror=alert(1)>",
    "<!-- hidden -->",
    "a | b |",
    "```\nfence",
    "`code`",
    "**bold** _em_ ~~gone~~",
    "1. list",
    "- list",
    "# heading",
    "> quote",
    "---",
    "===",
    ": term",
    "&lt;b&gt; &#64;all",
    "back\\slash \\",
    "\u202egpj.exe",
    "line\u2028break\r\nnew\tline",
    "$a^2$",
)
anything = st.one_of(
    st.text(max_size=80), st.text("@#`*_~|<>[]()!\\&$.-+=:/1aw \n", max_size=60), st.sampled_from(HOSTILE)
)


def inline(markdown: str) -> list[Token]:
    """The inline tokens of what must be one paragraph."""
    blocks = PARSER.parse(markdown)
    if not blocks:
        return []
    assert [token.type for token in blocks] == ["paragraph_open", "inline", "paragraph_close"], blocks
    return blocks[1].children or []


def visible(text: str) -> str:
    return names.shown(" ".join(text.split()))


@given(anything)
@example("a`b``c")
def test_escaped_text_is_only_text(text: str) -> None:
    tokens = inline(escape(text))
    assert {token.type for token in tokens} <= {"text", "text_special", "entity"}
    shown = "".join(token.content for token in tokens)
    assert shown.replace(BREAK, "") == visible(text).strip()


@given(anything)
def test_escaped_text_mentions_and_links_nothing(text: str) -> None:
    rendered = re.sub(r"<[^>]*>", "", PARSER.render(escape(text)))
    assert not re.search(r"@\w", rendered)
    assert not re.search(r"#\d", rendered)
    assert not re.search(r"\bGH-\d", rendered, re.IGNORECASE)
    assert not re.search(r"(https?|ftp)://|mailto:\w|www\.", rendered, re.IGNORECASE)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_mentions_and_links_nothing(text: str) -> None:
    """GitHub's cmark-gfm links after ``_`` and digits too, where the parser of these tests does not."""
    assert not re.search(r"@\w|#\d|GH-\d|(https?|ftp|mailto):[/\w]|www\.", escape(text), re.IGNORECASE)


@given(anything, anything)
def test_escaped_text_stays_in_its_cell(one: str, other: str) -> None:
    table = f"| A | B |\n|---|---|\n| {escape(one)} | {escape(other)} |"
    tokens = PARSER.parse(table)
    cells = [tokens[at + 1] for at, token in enumerate(tokens) if token.type == "td_open"]
    assert len(cells) == 2
    assert [cell.content.replace("\\", "").strip() for cell in cells] == [
        escape(text).replace("\\", "").strip() for text in (one, other)
    ]
    assert not any(token.type == "html_block" for token in tokens)


@given(anything)
@example("`")
@example("``` `")
def test_code_span_holds_all_of_its_text(text: str) -> None:
    tokens = inline(f"x {code(text)} y")
    spans = [token for token in tokens if token.type == "code_inline"]
    assert len(spans) == 1
    assert len(tokens) == 3
    assert spans[0].content.strip() == names.shown(text).strip()


@given(anything)
@example("```\n```")
@example("~~~")
def test_fence_cannot_be_ended_by_its_content(text: str) -> None:
    tokens = PARSER.parse(fenced(text, "sh") + "\n\nafter")
    assert [token.type for token in tokens] == ["fence", "paragraph_open", "inline", "paragraph_close"]


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "https://a b", "", "//evil.example"])
def test_only_web_addresses_become_links(address: str) -> None:
    assert "link_open" not in [token.type for token in inline(link("report", address) or "x")]


def test_link_is_a_link_whatever_stands_in_it() -> None:
    tokens = inline(link("a ] b", "https://bot.example/checks/(x)>y"))
    assert tokens[0].type == "link_open"
    assert tokens[0].attrGet("href") == "https://bot.example/checks/%28x%29%3Ey"


@given(st.text(max_size=200), st.integers(0, 100))
def test_clipping_counts_bytes_and_splits_no_character(text: str, limit: int) -> None:
    cut = clipped(text, limit)
    assert size(cut) <= limit
    cut.encode()
    if size(text) <= limit:
        assert cut == text
    elif cut:
        assert cut.endswith(ELLIPSIS)
        assert text.startswith(cut.removesuffix(ELLIPSIS))


blocks = st.lists(
    st.builds(
        Block,
        head=st.text("hé", min_size=1, max_size=10),
        lines=st.lists(st.text("lü", min_size=1, max_size=30), max_size=12),
        rank=st.integers(-1, 2),
        share=st.sampled_from([0.2, 0.5, 1.0]),
    ),
    max_size=5,
)


@given(blocks, st.integers(0, 400))
def test_fitted_text_keeps_the_limit_and_whole_lines(parts: list[Block], limit: int) -> None:
    text = fitted(parts, limit)
    assert size(text) <= limit
    whole = {line for part in parts for line in (part.head, *part.lines)}
    assert all(line in whole or re.fullmatch(r"\d+ more", line) for line in text.split("\n") if line)


@given(blocks)
def test_nothing_is_left_out_where_there_is_room(parts: list[Block]) -> None:
    unlimited = [Block(part.head, part.lines, rank=part.rank) for part in parts]
    expected = "\n\n".join("\n".join((part.head, *part.lines)) for part in unlimited)
    assert fitted(unlimited, 100_000) == expected


def test_left_out_lines_are_counted() -> None:
    block = Block("head", [f"line {number}" for number in range(10)])
    text = fitted([block], 30)
    assert text == "head\nline 0\nline 1\n8 more"
