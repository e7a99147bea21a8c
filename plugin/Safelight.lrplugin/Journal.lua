--[[
Which commands this session has received and what the newest ones came to. A command that comes again is answered from
here and never run twice. Bounded: ids and answers that are pushed out are forgotten, oldest first.
]]

local Journal = {}

-- the contract's bound for "seen"
local MOST_IDS = 256
local MOST_ANSWERS = 32

-- state(id) is nil (never seen), "running", "finished" or "forgotten" (seen, but its answer was pushed out)
function Journal.new()
	local ids, states, answers, finished = {}, {}, {}, {}
	local journal = {}

	function journal.state(id)
		return states[id]
	end

	function journal.answer(id)
		return answers[id]
	end

	-- ids of the newest commands, oldest first
	function journal.seen()
		return ids
	end

	function journal.begin(id)
		if states[id] == nil then
			ids[#ids + 1] = id
			if #ids > MOST_IDS then
				local oldest = table.remove(ids, 1)
				states[oldest] = nil
				answers[oldest] = nil
			end
		end
		states[id] = "running"
	end

	function journal.finish(id, answer)
		if states[id] == nil then
			return
		end
		states[id] = "finished"
		answers[id] = answer
		finished[#finished + 1] = id
		if #finished > MOST_ANSWERS then
			local oldest = table.remove(finished, 1)
			if states[oldest] == "finished" then
				states[oldest] = "forgotten"
				answers[oldest] = nil
			end
		end
	end

	return journal
end

return Journal
