// @ts-check

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * What vitest's JSON report comes to. A file that failed to load counts as one failure, and so does a run that
 * ended badly with every test passed: an error outside of any test.
 * @param {unknown} report
 * @param {number} exitCode
 * @returns {Counts}
 */
export function countTests(report, exitCode) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const files = typeof report === 'object' && report !== null && 'testResults' in report ? report.testResults : [];
  for (const file of Array.isArray(files) ? files : []) {
    /** @type {string[]} */
    const statuses = file.assertionResults.map((/** @type {{ status: string }} */ result) => result.status);
    const failed = statuses.filter((status) => status === 'failed').length;
    const passed = statuses.filter((status) => status === 'passed').length;
    counts.passed += passed;
    counts.failed += failed === 0 && file.status === 'failed' ? 1 : failed;
    counts.skipped += statuses.length - passed - failed;
  }
  if (counts.failed === 0 && (exitCode !== 0 || counts.passed === 0)) counts.failed = 1;
  return counts;
}

/**
 * @param {Counts} a
 * @param {Counts} b
 * @returns {Counts}
 */
export function addCounts(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** @param {Counts} counts */
export function countsLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
