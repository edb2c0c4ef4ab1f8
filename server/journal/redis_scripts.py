"""The Redis journal's Lua: everything that looks and then writes does both in one script.

Each may be sent again when its answer was lost. Per table: `own` is a hash {holder, fence, number,
snapshot}, `log` a stream with the ids `<number>-0` and the fields `d` (data) and, on a snapshot, `s`.
Writes come after every check, so a script that Redis refuses (out of memory, AOF broken) did nothing.
"""

from __future__ import annotations

COMMIT = """
-- KEYS own, log. ARGV fence, first number, how many entries, (data, '1' or '') an entry, (channel,
-- payload) a publish. Answers OK, DONE (it was there already), FENCED fence or CONFLICT number.
local own = redis.call('HMGET', KEYS[1], 'fence', 'number')
if own[1] ~= ARGV[1] then return 'FENCED ' .. (own[1] or 'gone') end
local first, count, number = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(own[2])
local last = first + count - 1
if number ~= first - 1 then
  if last <= number then
    local there = redis.call('XRANGE', KEYS[2], first .. '-0', last .. '-0')
    local same = #there == count
    for i = 1, count do
      local fields = same and there[i][2]
      same = same and fields[2] == ARGV[2 + 2 * i]
        and (fields[3] == 's') == (ARGV[3 + 2 * i] == '1')
    end
    if same then return 'DONE' end
  end
  return 'CONFLICT ' .. own[2]
end
local snapshot
for i = 1, count do
  local id, data = (first + i - 1) .. '-0', ARGV[2 + 2 * i]
  if ARGV[3 + 2 * i] == '1' then
    redis.call('XADD', KEYS[2], id, 'd', data, 's', '1')
    snapshot = first + i - 1
  else
    redis.call('XADD', KEYS[2], id, 'd', data)
  end
end
if snapshot then
  redis.call('HSET', KEYS[1], 'number', last, 'snapshot', snapshot)
else
  redis.call('HSET', KEYS[1], 'number', last)
end
for i = 4 + 2 * count, #ARGV, 2 do redis.call('PUBLISH', ARGV[i], ARGV[i + 1]) end
return 'OK'
"""

CREATE = """
-- KEYS own, tables. ARGV table, holder, '1' if this is a repeat. Answers 1, or 0 if there is one already.
if redis.call('EXISTS', KEYS[1]) == 1 then
  local own = redis.call('HMGET', KEYS[1], 'holder', 'fence', 'number')
  local ours = own[1] == ARGV[2] and own[2] == '1' and own[3] == '0'
  return (ARGV[3] == '1' and ours) and 1 or 0
end
redis.call('HSET', KEYS[1], 'holder', ARGV[2], 'fence', 1, 'number', 0, 'snapshot', 0)
redis.call('SADD', KEYS[2], ARGV[1])
return 1
"""

TAKE = """
-- KEYS own, the expected holder's lease. ARGV expected holder, expected fence, new holder.
-- Answers {fence, number}, or nothing.
local own = redis.call('HMGET', KEYS[1], 'holder', 'fence', 'number')
if not own[2] then return false end
local fence = tonumber(ARGV[2])
if own[1] == ARGV[3] and tonumber(own[2]) == fence + 1 then return {fence + 1, tonumber(own[3])} end
if own[1] ~= ARGV[1] or tonumber(own[2]) ~= fence then return false end
if own[1] ~= '' and own[1] ~= ARGV[3] and redis.call('EXISTS', KEYS[2]) == 1 then return false end
redis.call('HSET', KEYS[1], 'holder', ARGV[3], 'fence', fence + 1)
return {fence + 1, tonumber(own[3])}
"""

RELEASE = """
-- KEYS own. ARGV fence. The next fence at once: a straggling append must find it changed.
local own = redis.call('HMGET', KEYS[1], 'holder', 'fence')
if not own[2] then return 0 end
local fence, expected = tonumber(own[2]), tonumber(ARGV[1])
if own[1] == '' and fence == expected + 1 then return 1 end
if fence ~= expected then return 0 end
redis.call('HSET', KEYS[1], 'holder', '', 'fence', fence + 1)
return 1
"""

DROP = """
-- KEYS own, log, tables. ARGV table, fence or ''. Answers 0 if it is there under another fence.
local fence = redis.call('HGET', KEYS[1], 'fence')
if ARGV[2] ~= '' and fence and fence ~= ARGV[2] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('SREM', KEYS[3], ARGV[1])
return 1
"""

RENEW = """
-- KEYS lease. ARGV token, ms. Answers 1 if it is ours now, 0 if it is another's.
local token = redis.call('GET', KEYS[1])
if token and token ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""

FREE = """
-- KEYS lease. ARGV token.
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
"""
