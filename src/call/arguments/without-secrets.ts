import type { Secrets } from '../../policy/secrets.ts';
import { redactParameters, typedIn } from '../../policy/typed-secrets.ts';
import { mapTexts } from '../../util/map-texts.ts';
import type { Report } from '../answer/report.ts';

/** Runs before anything is cut: half of a secret could not be recognised. */
export function withoutSecrets(report: Report, secrets: Secrets, sessions: Parameters<typeof typedIn>[0]): Report {
  const typed = typedIn(sessions);
  const configured = secrets.redactAll(report);
  const all = typed.length === 0 ? configured : mapTexts(configured, (text) => redactParameters(text, typed));
  // Only texts are replaced; the shape of the data stays.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return all as Report;
}
