import { expect, test } from 'vitest';
import { imageSize, modelFit } from './images.ts';

test.each([
  [{ width: 1280, height: 720 }, 1],
  [{ width: 1568, height: 733 }, 1],
  [{ width: 3136, height: 10 }, 0.5],
  [{ width: 10, height: 15_680 }, 0.1],
  [{ width: 1150, height: 1000 }, 1],
  [{ width: 2300, height: 2000 }, 0.5],
])('[S2-48] %j is scaled by %d', (size, factor) => {
  expect(modelFit(size)).toBeCloseTo(factor, 5);
});

test('[S2-52] a scaled image fits, whatever its original size', () => {
  for (let width = 1; width < 20_000; width = width * 3 + 7) {
    for (let height = 1; height < 20_000; height = height * 3 + 5) {
      const factor = modelFit({ width, height });
      expect(Math.max(width, height) * factor).toBeLessThanOrEqual(1568.001);
      expect(width * height * factor * factor).toBeLessThanOrEqual(1_150_000.5);
    }
  }
});

function header(length: number, write: (data: Buffer) => void): Buffer {
  const data = Buffer.alloc(length);
  write(data);
  return data;
}

const png = header(30, (data) => {
  data.write('\u0089PNG', 0, 'latin1');
  data.writeUInt32BE(640, 16);
  data.writeUInt32BE(480, 20);
});
const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000040000', 'hex'),
  Buffer.from('ffc0001108', 'hex'),
  Buffer.from([480 >> 8, 480 & 255, 640 >> 8, 640 & 255]),
  Buffer.alloc(20),
]);
const webp = (kind: string, write: (data: Buffer) => void): Buffer =>
  header(40, (data) => {
    data.write('RIFF', 0);
    data.write(`WEBP${kind}`, 8);
    write(data);
  });

test.each([
  ['PNG', png],
  ['JPEG', jpeg],
  ['WebP, lossy', webp('VP8 ', (data) => void data.writeUInt16LE(480, data.writeUInt16LE(640, 26)))],
  ['WebP, lossless', webp('VP8L', (data) => void data.writeUInt32LE(639 | (479 << 14), 21))],
  ['WebP, extended', webp('VP8X', (data) => void data.writeUIntLE(479, data.writeUIntLE(639, 24, 3), 3))],
])('the size of a %s is read from its header', (_, data) => {
  expect(imageSize(data)).toEqual({ width: 640, height: 480 });
});

test.each([
  ['nothing', ''],
  ['one byte', 'ff'],
  ['text', Buffer.from('this is no picture at all').toString('hex')],
  ['a PNG that ends early', Buffer.from('\u0089PNG', 'latin1').toString('hex')],
  ['a JPEG that ends early', 'ffd8'],
  ['a WebP that ends early', Buffer.from('RIFF____WEBP').toString('hex')],
])('%s has no size', (_, hex) => {
  expect(imageSize(Buffer.from(hex, 'hex'))).toEqual({ width: 0, height: 0 });
});
