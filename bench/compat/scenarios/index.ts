import type { Group } from '../scenario.ts';
import { actionScenarios } from './actions.ts';
import { capabilityScenarios } from './capabilities.ts';
import { effectScenarios } from './effects.ts';
import { navigationScenarios } from './navigation.ts';
import { readingScenarios } from './reading.ts';
import { settingGroups } from './settings.ts';

const files = { 'note.txt': 'a note', 'other.txt': 'another' };
const caps = ['--caps', 'config,devtools,network,pdf,storage,testing,vision'];

export const groups: readonly Group[] = [
  { name: 'actions', files, scenarios: actionScenarios },
  { name: 'reading', files, scenarios: readingScenarios },
  { name: 'navigation', files, scenarios: navigationScenarios },
  { name: 'effects', peerSettleMs: 3000, scenarios: effectScenarios },
  { name: 'capabilities', files, flags: caps, scenarios: capabilityScenarios },
  ...settingGroups,
];
