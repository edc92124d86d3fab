/** Made by the build from src/images/worker.ts. */
declare module 'pagehelm:image-worker' {
  /** The source of a worker thread that compares images. */
  export const source: string;
}
