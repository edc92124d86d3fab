import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { RateLimits } from '../limiter.ts';
import type { RedisConnection } from './connection.ts';
import { limitPrefix } from './keys.ts';

/** While Redis is away, each gateway counts by itself, so it allows only a part. */
const shareAlone = 0.5;

/** Requests are counted in windows of a second of Redis's clock. */
export function redisLimits(redis: RedisConnection): RateLimits {
  return new RateLimits(
    (perSecond) =>
      new RateLimiterRedis({
        storeClient: redis,
        useRedisPackage: true,
        keyPrefix: limitPrefix,
        points: perSecond,
        duration: 1,
        // Redis is not asked again in a window whose requests are used up.
        inMemoryBlockOnConsumed: perSecond,
        insuranceLimiter: new RateLimiterMemory({ points: Math.ceil(perSecond * shareAlone), duration: 1 }),
      }),
  );
}
