"""Text as it is compared."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.catalog.fold import fold, index_text

words = st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=40)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Tromsø", "tromso"),
        ("Łódź", "lodz"),
        ("Straße ẞ", "strasse ss"),
        ("Æble Œuf", "aeble oeuf"),
        ("Đà Nẵng", "da nang"),
        ("Þingvellir", "thingvellir"),
        ("İI ıi", "ii ii"),
        ("Ёжик", "ежик"),
        ("ΑΘΉΝΑΣ", "αθηνασ"),
        ("ﬁsh ＩＭＧ ½", "fish img 1⁄2"),
        ("が", "が"),
        ("हिन्दी", "हिन्दी"),
        ("a\0b\ud800", "a\ufffdb\ufffd"),
    ],
)
def test_case_and_accents_are_folded(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_characters_of_scripts_without_spaces_stand_alone_in_the_index() -> None:
    assert index_text("IMG_東京タワー.jpg").split() == ["img_", "東", "京", "タ", "ワ", "ー", ".jpg"]
    assert index_text("Plain") == "plain"


@given(words)
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(words)
def test_composed_and_decomposed_text_fold_to_the_same(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text)) == fold(text)


@given(st.text(max_size=40))
def test_every_text_can_be_stored(text: str) -> None:
    assert "\0" not in fold(text)
    fold(text).encode()
    index_text(text).encode()
