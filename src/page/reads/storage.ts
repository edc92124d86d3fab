// This function is serialized into the page, so it uses no closures and no imports.

export interface StorageRead {
  readonly origin: string;
  /** The cookies that scripts see; they show whether the jar may have changed. */
  readonly cookie: string;
  /** Absent if not wanted, not allowed or too large. */
  readonly local?: readonly StorageItem[];
  readonly session?: readonly StorageItem[];
}

export interface StorageItem {
  readonly name: string;
  readonly value: string;
}

/** The storage of the document's origin. */
export function readStorage({ wantsItems, most }: { wantsItems: boolean; most: number }): StorageRead {
  const itemsOf = (storage: Storage): StorageItem[] | undefined => {
    const items: StorageItem[] = [];
    let size = 0;
    for (let at = 0; at < storage.length; at++) {
      const name = storage.key(at) ?? '';
      const value = storage.getItem(name) ?? '';
      size += name.length + value.length;
      if (size > most) return undefined;
      items.push({ name, value });
    }
    return items;
  };
  // Documents without an origin of their own may use neither.
  const quietly = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch {
      return undefined;
    }
  };
  const local = wantsItems ? quietly(() => itemsOf(localStorage)) : undefined;
  const session = wantsItems ? quietly(() => itemsOf(sessionStorage)) : undefined;
  return {
    origin,
    cookie: quietly(() => document.cookie) ?? '',
    ...(local === undefined ? {} : { local }),
    ...(session === undefined ? {} : { session }),
  };
}
