import { SessionTracing } from './tracing.ts';
import { UserActions } from './user-actions.ts';
import { SessionVideo } from './video.ts';

/** What is recorded in a session: a trace, videos, and what a user does. */
export class Recordings {
  readonly tracing: SessionTracing;
  readonly video = new SessionVideo();
  readonly userActions = new UserActions();

  constructor(report: (event: string) => void) {
    this.tracing = new SessionTracing(report);
  }

  /** The context is gone, and with it the recordings that are not saved. */
  forget(): void {
    this.video.forget();
    this.userActions.forget();
  }
}
