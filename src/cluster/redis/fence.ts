/** Lua: ends with 0 if KEYS[1], the placement, has a newer epoch than ARGV[1]. */
export const refuseOlderEpoch = `
if tonumber(redis.call('HGET', KEYS[1], 'epoch') or 0) > tonumber(ARGV[1]) then return 0 end`;
