"""Keywords in the simulated catalog: the tree itself, and the doubles of LrKeyword with the traps of the real ones."""

from __future__ import annotations

import pytest

from safelight.lightroom import Catalog, PluginError, SimulatedLightroom
from safelight.lightroom.keywords import KeywordTree
from tests.requirement import requirement

PREAMBLE = """
local LrTasks = import("LrTasks")
local catalog = import("LrApplication").activeCatalog()
local function gate(func) return catalog:withWriteAccessDo("Test", func, { timeout = 1 }) end
local photo = catalog:getTargetPhoto()
local function named(name, keywords)
	for _, keyword in ipairs(keywords or catalog:getKeywords()) do
		if keyword:getName() == name then
			return keyword
		end
	end
	error("no keyword " .. name)
end
"""

RIGHT = {
    "a keyword knows its name, parent, children and synonyms": """
        local people = named("people")
        local family = named("family", people:getChildren())
        assert(family:getParent() == people and people:getParent() == nil)
        assert(named("Mia", family:getChildren()):getParent():getName() == "family")
        assert(#family:getSynonyms() == 0 and family:type() == "LrKeyword" and family.catalog == catalog)
    """,
    "one object stands for one keyword": 'assert(named("people") == named("people"))',
    "keywords are found by their numbers, and unknown numbers are left out": """
        local people = named("people")
        local found = catalog:getKeywordsByLocalId({ 99999, people.localIdentifier })
        assert(#found == 1 and found[1] == people)
    """,
    "a keyword's attributes are those that it was made with": """
        local made, people = nil, named("people")
        gate(function() made = catalog:createKeyword("Rome", { "Roma" }, true, people, false) end)
        local attributes = made:getAttributes()
        assert(attributes.keywordName == "Rome" and attributes.includeOnExport == true)
        assert(attributes.synonyms[1] == "Roma" and made:getSynonyms()[1] == "Roma")
    """,
    "a keyword without the third argument is not included on export": """
        local made
        gate(function() made = catalog:createKeyword("Rome", {}) end)
        assert(made:getAttributes().includeOnExport == false)
    """,
    "a keyword that is there is false unless the last argument is true": """
        local refused, found
        gate(function() refused = catalog:createKeyword("people", {}, true) end)
        gate(function() found = catalog:createKeyword("people", { "folk" }, false, nil, true) end)
        assert(refused == false and found == named("people"))
        assert(found:getAttributes().includeOnExport == true and #found:getSynonyms() == 0)
    """,
    "a keyword that is there can be used in the gate that asked for it": """
        gate(function() photo:addKeyword(catalog:createKeyword("people", {}, true, nil, true)) end)
        local has = {}
        for _, keyword in ipairs(photo:getRawMetadata("keywords")) do has[keyword:getName()] = true end
        assert(has.people)
    """,
    "the same name in another case is a second keyword": """
        gate(function() assert(catalog:createKeyword("PEOPLE", {}, true, nil, true)) end)
        assert(named("PEOPLE") ~= named("people"))
    """,
    "a photo's keywords are objects, alone and in a batch": """
        local one = photo:getRawMetadata("keywords")
        local batch = catalog:batchGetRawMetadata({ photo }, { "keywords" })[photo].keywords
        assert(#one > 0 and #one == #batch and one[1] == batch[1] and one[1]:type() == "LrKeyword")
    """,
    "a keyword has the photos that it was given to, once": """
        local made
        gate(function() made = catalog:createKeyword("Rome", {}, true) end)
        assert(#made:getPhotos() == 0)
        gate(function() photo:addKeyword(made) photo:addKeyword(made) end)
        assert(#made:getPhotos() == 1 and made:getPhotos()[1] == photo)
        gate(function() photo:removeKeyword(made) photo:removeKeyword(made) end)
        assert(#made:getPhotos() == 0)
    """,
    "two keywords of one name under two parents are made in one gate": """
        local people, nature = named("people"), named("nature")
        gate(function()
            assert(catalog:createKeyword("x", {}, true, people, true))
            assert(catalog:createKeyword("x", {}, true, nature, true))
        end)
        assert(named("x", people:getChildren()) ~= named("x", nature:getChildren()))
    """,
    "a place is set and taken away": """
        gate(function() photo:setRawMetadata("gps", { latitude = 1.5, longitude = -2.5 }) end)
        local gps = photo:getRawMetadata("gps")
        assert(gps.latitude == 1.5 and gps.longitude == -2.5)
        gate(function() photo:setRawMetadata("gps", nil) end)
        assert(photo:getRawMetadata("gps") == nil)
    """,
    "a colour is set by its name in any case, and any other text is a label": """
        gate(function() photo:setRawMetadata("colorNameForLabel", "PURPLE") end)
        assert(photo:getRawMetadata("colorNameForLabel") == "purple")
        assert(photo:getFormattedMetadata("label") == "Purple")
        gate(function() photo:setRawMetadata("colorNameForLabel", "Print") end)
        assert(photo:getFormattedMetadata("label") == "Print")
        gate(function() photo:setRawMetadata("colorNameForLabel", "None") end)
        assert(photo:getFormattedMetadata("label") == "")
    """,
    "texts are set under the SDK's names and read by the formatted getter": """
        local keys = { "title", "caption", "headline", "creator", "copyright", "location", "city", "stateProvince",
            "country", "copyName" }
        gate(function() for _, key in ipairs(keys) do photo:setRawMetadata(key, "the " .. key) end end)
        for _, key in ipairs(keys) do assert(photo:getFormattedMetadata(key) == "the " .. key) end
    """,
}

WRONG = {
    "reading the tree in a gate": (
        "gate(function() catalog:getKeywords() end)",
        "must not be called inside a write gate",
    ),
    "a list of children in a plain pcall": (
        "assert(pcall(function() return catalog:getKeywords() end))",
        "attempt to yield across metamethod/C-call boundary",
    ),
    "a keyword's name in a plain pcall": (
        "assert(pcall(named))",
        "attempt to yield across metamethod/C-call boundary",
    ),
    "a keyword below one that is made in the same gate": (
        'gate(function() catalog:createKeyword("b", {}, true, catalog:createKeyword("a", {}, true)) end)',
        "cannot be used before the gate is closed",
    ),
    "a new keyword's number in its gate": (
        'gate(function() return catalog:createKeyword("a", {}, true).localIdentifier end)',
        "cannot be used before the gate is closed",
    ),
    "one keyword made in two spellings in one gate": (
        'gate(function() catalog:createKeyword("a", {}, true) catalog:createKeyword("A", {}, true) end)',
        "twice for one keyword in one write gate",
    ),
    "a keyword made in a private gate": (
        'catalog:withPrivateWriteAccessDo(function() catalog:createKeyword("a", {}, true) end, { timeout = 1 })',
        "must be called inside write access",
    ),
    "a keyword that a failed gate has made": (
        'local k LrTasks.pcall(gate, function() k = catalog:createKeyword("a", {}, true) error("x") end) k:getName()',
        "the keyword is no longer in the catalog",
    ),
    "a parent given by its name": (
        'gate(function() catalog:createKeyword("a", {}, true, "people") end)',
        "LrKeyword|nil expected, got string",
    ),
    "synonyms that are no texts": ('gate(function() catalog:createKeyword("a", { 5 }, true) end)', "a list of string"),
    "a name with a comma": ('gate(function() catalog:createKeyword("a, b", {}, true) end)', "not a name for a keyword"),
    "a name of nothing": ('gate(function() catalog:createKeyword(" ", {}, true) end)', "not a name for a keyword"),
    "a name with space around it": ('gate(function() catalog:createKeyword(" a", {}, true) end)', "not a name for a"),
    "a keyword's own count": ("return named('people'):getCount()", "LrKeyword has no 'getCount'"),
    "a keyword that is deleted": (
        "local k = named('people') gate(function() k:delete() end)",
        "LrKeyword has no 'delete'",
    ),
    "keywords by the formatted getter": (
        'photo:getFormattedMetadata("keywords")',
        'unknown metadata key: "keywords" ("keywords" is a key of getRawMetadata)',
    ),
    "a place by the formatted getter": ('photo:getFormattedMetadata("gps")', "is a key of getRawMetadata"),
    "a headline by the raw getter": ('photo:getRawMetadata("headline")', "is a key of getFormattedMetadata"),
    "a state under its short name": ('photo:getFormattedMetadata("state")', 'unknown metadata key: "state"'),
    "a place as a list": ('gate(function() photo:setRawMetadata("gps", { 1, 2 }) end)', "gps must be nil or a table"),
    "a place as a text": ('gate(function() photo:setRawMetadata("gps", "1,2") end)', "gps must be nil or a table"),
    "a place off the earth": (
        'gate(function() photo:setRawMetadata("gps", { latitude = 91, longitude = 2 }) end)',
        "degrees from -90 to 90",
    ),
    "a place of texts": (
        'gate(function() photo:setRawMetadata("gps", { latitude = "1", longitude = "2" }) end)',
        "degrees from -90 to 90",
    ),
    "a place that is no number": (
        'gate(function() photo:setRawMetadata("gps", { latitude = 1, longitude = 0/0 }) end)',
        "degrees from -180 to 180",
    ),
    "a text that is nil": ('gate(function() photo:setRawMetadata("title", nil) end)', "title must be a text"),
    "a text that is not UTF-8": ('gate(function() photo:setRawMetadata("city", "\\255") end)', "city is not UTF-8"),
    "a rating of 0": ('gate(function() photo:setRawMetadata("rating", 0) end)', "rating must be nil or 1 to 5"),
}


@requirement("lightroom.simulator")
@pytest.mark.parametrize("snippet", RIGHT.values(), ids=RIGHT.keys())
def test_lightroom_does_it(alone: SimulatedLightroom, snippet: str) -> None:
    alone.run_lua(PREAMBLE + snippet)
    assert alone.errors == ()


@requirement("lightroom.simulator")
@pytest.mark.parametrize(("snippet", "says"), WRONG.values(), ids=WRONG.keys())
def test_lightroom_refuses_it(alone: SimulatedLightroom, snippet: str, says: str) -> None:
    with pytest.raises(PluginError) as thrown:
        alone.run_lua(PREAMBLE + snippet)
    assert says in str(thrown.value)


@requirement("lightroom.simulator")
def test_a_failed_gate_leaves_neither_keywords_nor_a_step_of_undo(alone: SimulatedLightroom, catalog: Catalog) -> None:
    before = (catalog.keywords.all(), catalog.photos())
    with pytest.raises(PluginError, match="halfway"):
        alone.run_lua(
            PREAMBLE
            + """
            local beach = named("beach", named("nature"):getChildren())
            gate(function()
                catalog:createKeyword("Rome", {}, true)
                photo:removeKeyword(beach)
                error("halfway")
            end)
            """
        )
    assert (catalog.keywords.all(), catalog.photos()) == before
    assert catalog.undo_names == ()


@requirement("lightroom.simulator")
def test_a_number_of_a_keyword_is_never_given_again(alone: SimulatedLightroom, catalog: Catalog) -> None:
    alone.run_lua(
        PREAMBLE
        + """
        local gone, made
        LrTasks.pcall(gate, function() gone = catalog:createKeyword("Rome", {}, true) error("x") end)
        gate(function() made = catalog:createKeyword("Paris", {}, true) end)
        assert(gone ~= made and made:getName() == "Paris")
        """
    )
    assert catalog.undo_names == ("Test",), "a new keyword alone is a step of Undo"


@requirement("lightroom.simulator")
def test_a_change_of_keywords_is_an_edit_of_the_photo(alone: SimulatedLightroom, catalog: Catalog) -> None:
    before = catalog.photo(catalog.selection[0]).last_edit
    alone.run_lua(PREAMBLE + 'local k = named("people") gate(function() photo:addKeyword(k) end)')
    assert catalog.photo(catalog.selection[0]).last_edit > before


@requirement("lightroom.simulator")
def test_one_keyword_can_be_made_to_throw_and_the_others_do_not(alone: SimulatedLightroom) -> None:
    """LrGenius #88: an error inside Lightroom's own getChildren."""
    alone.break_keyword_children("people")
    alone.break_keyword_name("nature", "beach")
    alone.run_lua(
        PREAMBLE
        + """
        local people, nature = named("people"), named("nature")
        local isListed, message = LrTasks.pcall(function() return people:getChildren() end)
        assert(not isListed and string.find(message, "bad argument #2 to 'format'", 1, true))
        local unnamed = 0
        for _, keyword in ipairs(nature:getChildren()) do
            if not LrTasks.pcall(function() return keyword:getName() end) then
                unnamed = unnamed + 1
            end
        end
        assert(unnamed == 1)
        """
    )


@requirement("lightroom.simulator")
def test_a_path_is_found_in_any_case_and_accents_in_either_form() -> None:
    tree = KeywordTree()
    cafe = tree.ensure("Places", "Caf\u00e9")
    assert tree.ensure("places", "CAFE\u0301") == cafe
    assert tree.find("PLACES", "caf\u00e9").local_id == cafe
    assert tree.path(cafe) == ("Places", "Caf\u00e9")


@requirement("lightroom.simulator")
def test_a_path_that_is_not_there_is_a_key_error() -> None:
    tree = KeywordTree()
    tree.ensure("a")
    for path in ((), ("b",), ("a", "b")):
        with pytest.raises(KeyError):
            tree.find(*path)
    with pytest.raises(ValueError, match="at least one name"):
        tree.ensure()


@requirement("lightroom.simulator")
def test_a_tree_that_is_cut_is_as_it_was() -> None:
    tree = KeywordTree()
    tree.ensure("a", "b")
    before = tree.all()
    tree.ensure("a", "c")
    tree.ensure("d")
    tree.cut(2)
    assert tree.all() == before == KeywordTree(before).all()
    assert tree.children(None) == [before[0].local_id]
    assert tree.named("d", None) is None
