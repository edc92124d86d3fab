import * as z from 'zod';
import './option-meta.ts';

const answers = 'Answers';
const files = 'Files';
const ms = z.int().min(0);

export const timeoutShape = {
  timeouts: z
    .strictObject({
      action: ms.default(5000).meta({
        flag: 'timeout-action',
        placeholder: 'ms',
        description: 'Timeout of an action in milliseconds',
      }),
      failFast: z.boolean().default(true).meta({
        flag: 'fail-fast',
        description: 'Fail at once if an element cannot be acted on and the page is at rest',
      }),
      navigation: ms.default(60_000).meta({
        flag: 'timeout-navigation',
        placeholder: 'ms',
        description: 'Timeout of a navigation in milliseconds',
      }),
      load: ms.default(5000).meta({
        flag: 'timeout-load',
        placeholder: 'ms',
        description: 'Timeout for the load event in milliseconds, after DOMContentLoaded',
      }),
      settle: ms.default(500).meta({
        flag: 'timeout-settle',
        placeholder: 'ms',
        description: 'Maximum time in milliseconds to wait for the effects of an action',
      }),
      expect: ms.default(5000).meta({
        flag: 'timeout-expect',
        placeholder: 'ms',
        description: 'Timeout of an assertion in milliseconds',
      }),
      call: ms.default(120_000).meta({
        flag: 'timeout-call',
        placeholder: 'ms',
        description: 'Timeout of a whole call in milliseconds',
      }),
      idle: ms.optional().meta({
        flag: 'idle-timeout',
        placeholder: 'ms',
        defaultText: 'never',
        description: 'Close the browser after this many milliseconds without a call; 0 means never',
      }),
      unresponsive: ms.default(30_000).meta({
        flag: 'unresponsive-timeout',
        placeholder: 'ms',
        description: 'End a server process that is blocked for this many milliseconds; 0 means never',
      }),
    })
    .prefault({})
    .meta({ section: 'Time limits' }),
};

export const answerShape = {
  snapshot: z
    .strictObject({
      mode: z.enum(['auto', 'full', 'diff', 'file', 'none']).default('auto').meta({
        flag: 'snapshot-mode',
        description: 'Page content in the answer to an action',
      }),
      format: z.enum(['compact', 'playwright']).default('compact').meta({
        flag: 'snapshot-format',
        description: "How pages are shown: pagehelm's own short form, or Playwright's snapshot",
      }),
      boxes: z.boolean().default(false).meta({
        flag: 'snapshot-boxes',
        description: 'Add the bounding box of each element, as [box=x,y,width,height]',
      }),
      fence: z.boolean().default(false).meta({
        flag: 'page-fence',
        description: 'Wrap page content in boundary lines with a random nonce',
      }),
      detail: z.enum(['terse', 'normal', 'full']).default('normal').meta({
        flag: 'snapshot-detail',
        description: 'How much answers show: terse, normal, or full, which repeats and folds nothing',
      }),
      maxTokens: z.int().min(1).default(6000).meta({
        flag: 'max-tokens',
        placeholder: 'count',
        description: 'Maximum size of an answer in tokens',
      }),
    })
    .prefault({})
    .meta({ section: answers }),
  imageResponses: z.enum(['file', 'inline', 'omit', 'allow', 'only']).default('file').meta({
    flag: 'image-responses',
    section: answers,
    description: 'How answers return images',
  }),
  codegen: z.enum(['typescript', 'python', 'java', 'csharp', 'none']).default('typescript').meta({
    flag: 'codegen',
    section: answers,
    description: 'Language of the Playwright code in answers; the variable `PW_LANG_NAME` sets the default',
  }),
  console: z
    .strictObject({
      level: z.enum(['error', 'warning', 'info', 'debug']).default('info').meta({
        flag: 'console-level',
        description: 'Minimum level of console messages to show',
      }),
    })
    .prefault({})
    .meta({ section: answers }),
  testIdAttribute: z.string().default('data-testid').meta({
    flag: 'test-id-attribute',
    section: answers,
    placeholder: 'name',
    description: 'Attribute with the test id',
  }),
};

export const fileShape = {
  outputDir: z.string().optional().meta({
    flag: 'output-dir',
    section: files,
    placeholder: 'path',
    defaultText: '.playwright-mcp',
    description: 'Directory for output files',
  }),
  outputMaxSize: z.int().min(0).optional().meta({
    flag: 'output-max-size',
    section: files,
    placeholder: 'bytes',
    defaultText: 'no limit',
    description:
      'Maximum total size of the output directories in bytes; the oldest files with generated names are deleted first',
  }),
  artifacts: z
    .strictObject({
      maxSize: z
        .int()
        .min(0)
        .default(1024 ** 3)
        .meta({
          flag: 'artifact-max-size',
          placeholder: 'bytes',
          description:
            'Maximum total size of the files that a client can read as resources, in bytes; the oldest are removed first; 0 means no limit',
        }),
      maxCount: z.int().min(0).default(1000).meta({
        flag: 'artifact-max-count',
        placeholder: 'count',
        description: 'Maximum number of files that a client can read as resources; 0 means no limit',
      }),
      maxAge: z
        .int()
        .min(0)
        .default(7 * 24 * 3_600_000)
        .meta({
          flag: 'artifact-max-age',
          placeholder: 'ms',
          description: 'Age in milliseconds at which a file is no longer a resource; 0 means no limit',
        }),
    })
    .prefault({})
    .meta({ section: files }),
  screenshotDir: z.string().optional().meta({
    flag: 'screenshot-dir',
    section: files,
    placeholder: 'path',
    defaultText: 'the output directory if given, else .viewpoint-mcp-screenshots',
    description: 'Directory for screenshots',
  }),
  filePaths: z.enum(['relative', 'absolute']).default('relative').meta({
    flag: 'file-paths',
    section: files,
    description: 'Form of paths in answers',
  }),
  saveSession: z.boolean().default(false).meta({
    flag: 'save-session',
    section: files,
    description: 'Log calls and answers to session.md in the output directory',
  }),
  allowUnrestrictedFileAccess: z.boolean().default(false).meta({
    flag: 'allow-unrestricted-file-access',
    section: files,
    description: 'Let tools reach files outside the working directory, and open file: URLs',
  }),
  allowHiddenFiles: z.boolean().default(false).meta({
    flag: 'allow-hidden-files',
    section: files,
    description: 'Let tools upload hidden files, such as .env, from the working directory',
  }),
  uploadRoot: z.string().optional().meta({
    flag: 'upload-root',
    section: files,
    placeholder: 'path',
    defaultText: 'the working and output directories',
    description: 'Only directory that files may be uploaded from',
  }),
};
