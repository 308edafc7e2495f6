"""What Redis does in one step, in Lua. Each may be sent twice: an answer may have been lost.

Keys, all of which begin with ``{strad}:``:

- ``{strad}:newest``: stream -> name of its newest log
- ``{strad}:next:STREAM``: name of the log to come, while somebody waits for it
- ``{strad}:owner:STREAM``: the token of its owner, for as long as the lease runs
- ``{strad}:head:LOG``: last, standing, ended, token (the fence), state
- ``{strad}:log:LOG``: a Redis stream, one entry a message, ids ``SEQ-0``
- ``{strad}:flags:LOG``: what viewers found wrong, by the key that is kept once
- ``{strad}:ticket:ID``: who used a single-use ticket, until it would have expired
- ``{strad}:try``: what is written to see whether anything can be; gone within a second
- ``{strad}:logs``: all logs, ``LOG STREAM``, by age; ``{strad}:count``: what numbers them
"""

from __future__ import annotations

PREFIX = "{strad}:"

HEAD = """
local function key(kind, name) return '{strad}:' .. kind .. ':' .. name end
local function owns(stream, log, token)
  return redis.call('HGET', '{strad}:newest', stream) == log
    and redis.call('HGET', key('head', log), 'token') == token
end
"""

OWN = (
    HEAD
    + """
local stream, token, lease, take, resume, fresh = unpack(ARGV)
local held = redis.call('GET', key('owner', stream))
local log = redis.call('HGET', '{strad}:newest', stream)
if held == token then return {'ok', log} end
if resume ~= '' then
  if log ~= resume then return {'unknown', ''} end
  if redis.call('HGET', key('head', log), 'ended') == '1' then return {'ended', ''} end
end
if held and take ~= '1' then return {'held', ''} end
if resume == '' then
  log = redis.call('GET', key('next', stream)) or fresh
  redis.call('DEL', key('next', stream))
  redis.call('HSET', '{strad}:newest', stream, log)
  redis.call('ZADD', '{strad}:logs', redis.call('INCR', '{strad}:count'), log .. ' ' .. stream)
  redis.call('HSET', key('head', log), 'last', '0', 'standing', '{}', 'ended', '0')
end
redis.call('HSET', key('head', log), 'token', token)
redis.call('SET', key('owner', stream), token, 'PX', lease)
return {'ok', log}
"""
)
"""Take the lease. Answers ok and the log's name; or held, unknown, ended."""

RENEW = (
    HEAD
    + """
local stream, log, token, lease = unpack(ARGV)
if not owns(stream, log, token) then return 0 end
redis.call('SET', key('owner', stream), token, 'PX', lease)
return 1
"""
)
"""Renew the lease. One that ran out is had again where nobody else took the stream meanwhile."""

RELEASE = (
    HEAD
    + """
local stream, token = unpack(ARGV)
if redis.call('GET', key('owner', stream)) == token then
  redis.call('DEL', key('owner', stream))
end
return 1
"""
)

APPEND = (
    HEAD
    + """
local stream, log, token, seq, json, standing, ended, most = unpack(ARGV)
if not owns(stream, log, token) then return {'lost', 0} end
local last = tonumber(redis.call('HGET', key('head', log), 'last'))
local id = seq .. '-0'
if last == tonumber(seq) then
  local kept = redis.call('XRANGE', key('log', log), id, id)
  if kept[1] and kept[1][2][2] == json then return {'ok', last} end
end
if last + 1 ~= tonumber(seq) then return {'apart', last} end
redis.call('XADD', key('log', log), 'MAXLEN', most, id, 'm', json)
redis.call('HSET', key('head', log), 'last', seq, 'standing', standing, 'ended', ended)
return {'ok', last + 1}
"""
)
"""Append one message, if it is the next and its owner still owns the log. Kept once however often
it is sent."""

KEEP = (
    HEAD
    + """
local stream, log, token, state = unpack(ARGV)
if not owns(stream, log, token) then return 0 end
redis.call('HSET', key('head', log), 'state', state)
return 1
"""
)

NAME = (
    HEAD
    + """
local stream, fresh = unpack(ARGV)
local log = redis.call('HGET', '{strad}:newest', stream)
if log or fresh == '' then return log or '' end
redis.call('SET', key('next', stream), fresh, 'NX', 'EX', 60)
return redis.call('GET', key('next', stream))
"""
)
"""The name of the newest log; else of the one to come, ``fresh`` where none is chosen yet."""

EXPECT = (
    HEAD
    + """
local stream, log = unpack(ARGV)
if redis.call('HGET', '{strad}:newest', stream) then return 0 end
redis.call('SET', key('next', stream), log, 'NX')
if redis.call('GET', key('next', stream)) ~= log then return 0 end
redis.call('EXPIRE', key('next', stream), 60)
return 1
"""
)
"""Somebody still waits for the log to come by this name."""

LISTED = (
    HEAD
    + """
local found = {}
for _, member in ipairs(redis.call('ZRANGE', '{strad}:logs', 0, -1)) do
  local log, stream = string.match(member, '^(%S+) (.+)$')
  if redis.call('HGET', '{strad}:newest', stream) == log then
    local head = redis.call('HMGET', key('head', log), 'last', 'standing')
    found[#found + 1] = {stream, log, head[1] or '0', head[2] or '{}',
      redis.call('EXISTS', key('owner', stream))}
  end
end
return found
"""
)

FORGET = (
    HEAD
    + """
local ended = {}
for _, member in ipairs(redis.call('ZRANGE', '{strad}:logs', 0, -1)) do
  local log, stream = string.match(member, '^(%S+) (.+)$')
  if redis.call('HGET', key('head', log), 'ended') == '1'
      or redis.call('HGET', '{strad}:newest', stream) ~= log then
    ended[#ended + 1] = member
  end
end
for i = 1, #ended - tonumber(ARGV[1]) do
  local log, stream = string.match(ended[i], '^(%S+) (.+)$')
  redis.call('DEL', key('log', log), key('head', log), key('flags', log))
  redis.call('ZREM', '{strad}:logs', ended[i])
  if redis.call('HGET', '{strad}:newest', stream) == log then
    redis.call('HDEL', '{strad}:newest', stream)
  end
end
return 1
"""
)
"""Let go of logs that are over but the newest so many."""

FLAG = (
    HEAD
    + """
local log, name, json, most = unpack(ARGV)
local flags = key('flags', log)
local kept = redis.call('HGET', flags, name)
if not kept and redis.call('HLEN', flags) >= tonumber(most) then return 'full' end
if redis.call('EXISTS', key('head', log)) == 0 then return 'gone' end
if kept ~= json then redis.call('HSET', flags, name, json) end
return kept and 'again' or 'new'
"""
)
"""Keep a flag, in place of an earlier one by its name. Answers new, again, full or gone."""

FLAGS = HEAD + "return redis.call('HVALS', key('flags', ARGV[1]))"

FLAG_COUNT = HEAD + "return redis.call('HLEN', key('flags', ARGV[1]))"

PAGE = (
    HEAD
    + """
local log, after, most = unpack(ARGV)
local found = {}
for _, entry in ipairs(redis.call('XRANGE', key('log', log), '(' .. after .. '-0', '+',
    'COUNT', most)) do
  found[#found + 1] = entry[2][2]
end
return found
"""
)

STANDS = (
    HEAD
    + """
local head = redis.call('HMGET', key('head', ARGV[1]), 'last', 'standing')
return {head[1] or '0', head[2] or '{}'}
"""
)

KEPT = HEAD + "return redis.call('HGET', key('head', ARGV[1]), 'state')"

SPEND = (
    HEAD
    + """
local ticket, use, lasts = unpack(ARGV)
redis.call('SET', key('ticket', ticket), use, 'NX', 'PX', lasts)
return redis.call('GET', key('ticket', ticket)) == use
"""
)

OWNED = HEAD + "return redis.call('EXISTS', key('owner', ARGV[1]))"

TRY_OUT = "redis.call('SET', '{strad}:try', string.rep('0', 65536), 'PX', 1000) return 1"
"""Write, for a second, what nobody reads."""

VERSION = """
redis.call('SETNX', '{strad}:version', ARGV[1])
return redis.call('GET', '{strad}:version')
"""
