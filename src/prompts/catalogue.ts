import { withToolNames } from '../errors.ts';
import type { GuidanceContext, Prompt } from './prompt.ts';

/** The first of these texts whose tools are all offered. */
function firstOffered(...texts: readonly [string, ...string[]]): (context: GuidanceContext) => string {
  return ({ nameOf }) => withToolNames([...texts, ''], nameOf);
}

const scrapeWebsite: Prompt = {
  name: 'scrape_website',
  description: 'Scrape structured data from a website',
  arguments: [
    { name: 'url', description: 'The URL to scrape', required: true, completes: 'url' },
    {
      name: 'selectors',
      description: 'JSON object mapping field names to CSS selectors',
      required: true,
      isObject: true,
    },
  ],
  template: `I need to scrape data from {{url}}. Please:

1. Navigate to the URL
2. Wait for the page to fully load
3. Extract data using these selectors:
{{#each selectors}}
   - {{@key}}: {{this}}
{{/each}}
4. Return the extracted data as a JSON object

Handle any errors gracefully and include metadata about the scrape
(timestamp, page title, final URL after redirects).`,
  guidance: firstOffered(
    '{browser_navigate} waits until the page has loaded and reports the final URL and the title. {browser_evaluate} can read all selectors in one call.',
    '{browser_navigate} waits until the page has loaded and reports the final URL and the title.',
  ),
};

const fillForm: Prompt = {
  name: 'fill_form',
  description: 'Fill out and submit a web form',
  arguments: [
    { name: 'url', description: 'The URL containing the form', required: true, completes: 'url' },
    { name: 'form_data', description: 'JSON object with form field values', required: true, isObject: true },
    {
      name: 'submit_button',
      description: 'Selector for submit button',
      required: false,
      default: "button[type='submit']",
    },
  ],
  template: `Please fill out and submit a form at {{url}}:

1. Navigate to the page
2. Fill the following fields:
{{#each form_data}}
   - {{@key}}: {{this}}
{{/each}}
3. Click the submit button: {{submit_button}}
4. Wait for submission to complete
5. Return the result URL and any success/error messages`,
  guidance: firstOffered(
    '{browser_fill_form} fills all fields in one call, by label or ref. {browser_click} accepts the selector of the button, waits for the submission and reports the new URL and messages.',
    '{browser_click} accepts the selector of the button, waits for the submission and reports the new URL and messages.',
  ),
};

const visualRegression: Prompt = {
  name: 'visual_regression',
  description: 'Compare page screenshots for visual changes',
  arguments: [
    { name: 'url', description: 'The URL to test', required: true, completes: 'url' },
    {
      name: 'baseline_screenshot',
      description: 'Path to baseline screenshot',
      required: true,
      completes: 'screenshot',
    },
  ],
  template: `Perform visual regression testing for {{url}}:

1. Navigate to the URL
2. Take a full-page screenshot
3. Compare with baseline: {{baseline_screenshot}}
4. Report any visual differences
5. Highlight areas that changed
6. Return diff percentage and annotated screenshot`,
  guidance: firstOffered(
    '{browser_compare_screenshot} does steps 2 to 6 in one call: pass the baseline and fullPage. If there is no baseline yet, it creates one.',
    'This server compares screenshots if it is started with --caps testing. Otherwise compare the images yourself, and say so.',
  ),
};

const authenticate: Prompt = {
  name: 'authenticate',
  description: 'Log into a website',
  arguments: [
    { name: 'url', description: 'Login page URL', required: true, completes: 'url' },
    { name: 'username', description: 'Username or email', required: true },
    { name: 'password', description: 'Password', required: true, isSecret: true },
    {
      name: 'username_selector',
      description: 'Username field selector',
      required: false,
      default: "input[name='username'], input[type='email']",
    },
    {
      name: 'password_selector',
      description: 'Password field selector',
      required: false,
      default: "input[name='password'], input[type='password']",
    },
    {
      name: 'submit_selector',
      description: 'Submit button selector',
      required: false,
      default: "button[type='submit']",
    },
  ],
  template: `Please log into {{url}}:

1. Navigate to the login page
2. Fill username field ({{username_selector}}): {{username}}
3. Fill password field ({{password_selector}}): [REDACTED]
4. Click submit ({{submit_selector}})
5. Wait for redirect/success
6. Save authentication cookies
7. Return session ID for future requests

Note: Handle 2FA prompts if they appear.`,
  guidance: ({ nameOf, args, isSecretName }) => {
    const { password = '' } = args;
    const howToType = isSecretName(password)
      ? withToolNames(
          [`Type the password with {browser_type} and the text ${password}, the name of a secret.`, ''],
          nameOf,
        )
      : 'The password is not shown to you. Ask the user to enter it in the browser, or to configure it as a secret, which can be typed by its name.';
    const sessions = withToolNames(
      ['The session keeps its cookies; {list_sessions} returns its id.', 'The session keeps its cookies.'],
      nameOf,
    );
    return `${howToType} ${sessions}`.trim();
  },
};

const e2eTest: Prompt = {
  name: 'e2e_test',
  description: 'Run end-to-end user journey test',
  arguments: [
    { name: 'test_scenario', description: 'Description of the user journey', required: true },
    { name: 'start_url', description: 'Starting URL', required: true, completes: 'url' },
  ],
  template: `Execute this E2E test scenario: {{test_scenario}}

Starting at: {{start_url}}

For each step:
1. Describe what you're doing
2. Take a screenshot
3. Verify expected outcome
4. Report any issues

At the end, provide:
- Test result (pass/fail)
- Screenshots from each step
- Performance metrics
- Any errors encountered`,
  guidance: firstOffered(
    'Verify outcomes with the snapshot after each action; take the screenshots with {browser_take_screenshot}. {browser_evaluate} reads performance metrics (performance.getEntriesByType), {browser_console_messages} and {browser_network_requests} list errors.',
    'Verify outcomes with the snapshot after each action; take the screenshots with {browser_take_screenshot}.',
  ),
};

/** The prompts of the server, in the order of their list. */
export const prompts: readonly Prompt[] = [scrapeWebsite, fillForm, visualRegression, authenticate, e2eTest];
