/** Made by the build from src/page/main.ts. */
declare module 'pagehelm:page-agent' {
  /** The text of an expression that installs the page agent in the world it is evaluated in, and is the agent. */
  export const source: string;
  /** The text of a function for the page's own world, which tells the agent of timers and limits the console. */
  export const worldSource: string;
}

/** Made by the build from src/page/reading/read.ts. */
declare module 'pagehelm:page-reader' {
  /** The text of the function that reads a page. */
  export const source: string;
}

/** Made by the build from src/page/extract/extract.ts. */
declare module 'pagehelm:page-extractor' {
  /** The text of the function that extracts data from a page. */
  export const source: string;
}
