import type { DriverId } from '../session/session.ts';
import type { CallResult } from './answer/report.ts';
import type { CallEffect } from './call-effect.ts';
import type { CallRequest } from './dispatch.ts';
import type { Tool } from './tool.ts';

/** A call that is recorded while it runs. */
export interface RecordedCall {
  /** The answer of the first time, if the call has run before. */
  readonly answer?: CallResult;
  /** Records how it ended. */
  end(result: CallResult, effect: CallEffect | undefined): Promise<void>;
}

/** What a server with several processes, or with repeated calls, adds to calls. */
export interface CallHooks {
  /** Throws if this process must not act for the driver now. Called before a call, and before its first input. */
  readonly fence?: ((driver: DriverId) => void) | undefined;
  /** Aborts when this process must stop what it does for the driver. */
  readonly right?: ((driver: DriverId) => AbortSignal) | undefined;
  /** Records a call with an id. Throws if it must not run. */
  readonly record?: ((request: CallRequest, tool: Tool) => Promise<RecordedCall | undefined>) | undefined;
}
