/** A difference from @playwright/mcp that stays. docs/compatibility.md shows this table. */
export interface Difference {
  readonly id: string;
  /** Scenarios in which it may appear, as `group / scenario`. */
  readonly scenarios: RegExp;
  /** The parts of an answer that may differ. */
  readonly parts: RegExp;
  readonly what: string;
  readonly reason: string;
}

const newer = 'playwright-core 1.65, which pagehelm uses, is newer than the one in this version of the server';

export const differences: readonly Difference[] = [
  {
    id: 'schemes',
    scenarios: /^navigation \/ (?:an unknown scheme|the source of a file)$/,
    parts: /./,
    what: 'URLs with schemes such as `view-source:` are refused',
    reason: '`view-source:file:` would show local files',
  },
  {
    id: 'addresses',
    scenarios: /^navigation \/ no URL$/,
    parts: /./,
    what: 'A text that is no URL is completed in another way',
    reason: newer,
  },
  {
    id: 'targets',
    scenarios: /^actions \/ a bad selector$/,
    parts: /Error$/,
    what: 'A selector that cannot be parsed gets a message with the accepted forms',
    reason: newer,
  },
  {
    id: 'captions',
    scenarios: /^reading \/ a snapshot of a table with a caption$/,
    parts: /Snapshot$|^file/,
    what: 'Snapshots name a table by its caption',
    reason: newer,
  },
  {
    id: 'sliders',
    scenarios: /^actions \/ fill a value that the slider refuses$/,
    parts: /./,
    what: 'A slider takes a value outside of its range as its nearest end',
    reason: newer,
  },
  {
    id: 'launch',
    scenarios: /^a browser that does not start \//,
    parts: /Error$/,
    what: 'The error of a browser that does not start has its exit code and its own output, without its arguments and the log of Playwright',
    reason: 'the rest fills a page and does not say more',
  },
  {
    id: 'left pages',
    scenarios: /^effects \/ evaluate a navigation$/,
    parts: /Page$|Snapshot$/,
    what: 'The answer to a script that opens another page shows that page; `@playwright/mcp` may still show the one before',
    reason: 'the answer is given when the effects of the script are over',
  },
  {
    id: 'devices',
    scenarios: /^a device \/ read$/,
    parts: /Result$/,
    what: 'Devices have newer user agents',
    reason: newer,
  },
];
