import type { EventBus } from '../../events/bus.ts';
import type { ResourceChanges } from '../../resources/changes.ts';
import type { Session, SessionListener } from '../../session/session.ts';

/** Passes what sessions report to the resources and to those who listen for events. */
export function sessionListener(changes: ResourceChanges, events: EventBus): SessionListener {
  return {
    sessionChanged: (session) => {
      changes.sessionChanged(session);
      events.emit({ type: 'session.changed', session: session.id });
    },
    pageChanged: (session, tab) => {
      changes.pageChanged(session, tab);
      if (!events.isOn) return;
      const url = session.person.isPrivate ? '' : (session.tabs.find(({ id }) => id === tab)?.page.url() ?? '');
      events.emit({ type: 'tab.changed', session: session.id, tab, url });
    },
    controlChanged: ({ id, person }) => {
      const { phase, person: by } = person.control.state ?? {};
      events.emit({ type: 'control.changed', session: id, phase: phase ?? 'agent', by: by?.name });
    },
    popupsChanged: ({ id }) => events.emit({ type: 'popups.changed', session: id }),
    lost: ({ id }, what) => events.emit({ type: 'loss', session: id, what }),
    recovered: ({ id }, what, ms) => events.emit({ type: 'recovery', session: id, what, ms }),
  };
}

export function announceOpened(events: EventBus, { id, name, owner }: Pick<Session, 'id' | 'name' | 'owner'>): void {
  events.emit({ type: 'session.opened', session: id, name, driver: owner });
}

export function announceClosed(events: EventBus, { id, hasExpired }: Session): void {
  events.emit({ type: 'session.closed', session: id, reason: hasExpired ? 'expired' : 'closed' });
}
