--[[
Rules of a smart collection as a search description of the SDK. Lightroom takes a wrong operation or value without a
word and then shows other photos than meant, so each rule is checked here against what the SDK documents.
]]

local SmartRules = {}

local TEXT_OPERATIONS = { "all", "any", "words" }
local EXACT_TEXT_OPERATIONS = { "all", "any", "words", "==", "!=" }
local NUMBER_OPERATIONS = { "==", "!=", ">", "<", ">=", "<=", "in" }

local function isWithin(least, most)
	return function(value)
		return type(value) == "number" and value >= least and value <= most
	end
end

local function isWords(value)
	return type(value) == "string" and string.find(value, "%S") ~= nil
end

local function isColor(value)
	return isWithin(1, 5)(value) or value == "none" or value == "custom"
end

local function isDate(value)
	local month, day = string.match(tostring(value), "^%d%d%d%d%-(%d%d)%-(%d%d)$")
	return month ~= nil and isWithin(1, 12)(tonumber(month)) and isWithin(1, 31)(tonumber(day))
end

local FIELDS = {
	rating = { operations = NUMBER_OPERATIONS, accepts = isWithin(0, 5), wanted = "a number from 0 to 5" },
	pick = { operations = NUMBER_OPERATIONS, accepts = isWithin(-1, 1), wanted = "1, 0 or -1" },
	labelColor = { operations = { "==", "!=" }, accepts = isColor, wanted = "1 to 5, none or custom" },
	captureTime = {
		operations = { "==", "!=", ">", "<", "in" },
		accepts = isDate,
		wanted = "a date such as 2024-05-31",
	},
	keywords = { operations = TEXT_OPERATIONS, accepts = isWords, wanted = "a text" },
	camera = { operations = EXACT_TEXT_OPERATIONS, accepts = isWords, wanted = "a text" },
	lens = { operations = EXACT_TEXT_OPERATIONS, accepts = isWords, wanted = "a text" },
}

local function knows(operations, operation)
	for _, known in ipairs(operations) do
		if known == operation then
			return true
		end
	end
	return false
end

-- the only one of two values, or nil where there is none or there are two
local function onlyOf(text, number)
	if text ~= nil and number ~= nil then
		return nil
	elseif text ~= nil then
		return text
	end
	return number
end

-- a criterion, or nil and what is wrong with the rule
local function criterion(rule)
	local field = FIELDS[rule.criteria]
	if not knows(field.operations, rule.operation) then
		return nil, rule.criteria .. " knows no operation " .. rule.operation
	end
	local value, value2 = onlyOf(rule.text, rule.number), onlyOf(rule.text2, rule.number2)
	local isRange = rule.operation == "in"
	if not field.accepts(value) or (isRange and not field.accepts(value2)) then
		return nil, rule.criteria .. " must be compared with " .. field.wanted
	elseif not isRange and (rule.text2 ~= nil or rule.number2 ~= nil) then
		return nil, "only the operation in has two values"
	end
	return { criteria = rule.criteria, operation = rule.operation, value = value, value2 = isRange and value2 or nil }
end

-- a search description that all rules together make, or nil and a sentence that names the first rule that is wrong
function SmartRules.description(rules)
	local description = { combine = "intersect" }
	for index, rule in ipairs(rules) do
		local one, problem = criterion(rule)
		if not one then
			return nil, "rules[" .. index .. "]: " .. problem
		end
		description[index] = one
	end
	return description
end

return SmartRules
