import { ToolError } from '../../errors.ts';
import type { Session } from '../session.ts';
import { Annotations } from './annotations.ts';
import { Control } from './control.ts';
import type { ControlDeps } from './control.ts';
import { Hands } from './hands.ts';

export interface PersonDeps extends Pick<ControlDeps, 'hold' | 'tell'> {
  readonly navigationMs: number;
  readonly controlChanged: () => void;
  readonly popupsChanged: () => void;
}

/** What a person does with a session: control of it, and input to its pages. */
export class PersonControl {
  readonly control: Control;
  readonly hands: Hands;
  readonly annotations: Annotations;

  constructor(session: Session, { navigationMs, popupsChanged, controlChanged, ...deps }: PersonDeps) {
    this.annotations = new Annotations(session);
    this.hands = new Hands(session, { navigationMs, popupsChanged });
    this.control = new Control({
      ...deps,
      changed: controlChanged,
      taken: async (isPrivate) => {
        if (isPrivate) await discardRecordings(session);
        this.hands.begin();
      },
      ending: async () => {
        await this.hands.end();
        // The person may have changed everything: the next answer shows the page whole.
        for (const { snapshots } of session.tabs) snapshots.forget();
        session.reportedPlaces.forget();
      },
    });
  }

  get isHeld(): boolean {
    return this.control.state?.phase === 'held';
  }

  get isPrivate(): boolean {
    return this.control.privateTo !== undefined;
  }

  /** An agent must not close what a person uses. */
  refuseIfHeld(): void {
    if (this.isHeld) throw new ToolError('HUMAN_IN_CONTROL', { seconds: this.control.heldSeconds });
  }
}

/** A trace or a video would show what the person does. */
async function discardRecordings(session: Session): Promise<void> {
  const { tracing, video, userActions } = session.recordings;
  if (await tracing.forget()) session.tell('The trace was discarded: a person used the page privately.');
  if (video.isOn) {
    await video.stop();
    session.tell('The video ended when a person began to use the page privately.');
  }
  userActions.forget();
}
