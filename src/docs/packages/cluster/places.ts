/** Names and numbers that the files of a cluster share. */
export const port = 8931;
export const user = 10_001;
export const redisPort = 6379;

/** Where the container finds its secrets. */
export const secretFolder = '/etc/pagehelm';
export const clusterKeyFile = `${secretFolder}/cluster-key`;
export const apiKeyFile = `${secretFolder}/api-keys.json`;

/** Seconds that a process has to finish its calls and to save its sessions. */
export const graceSeconds = 60;
