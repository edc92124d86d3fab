/** The products, generated deterministically. */
export interface Product {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly material: string;
  readonly price: number;
  readonly stars: string;
  readonly reviews: number;
  readonly text: string;
}

export const kinds = ['tea pot', 'cup', 'bowl', 'kettle', 'tray', 'caddy'] as const;
export const materials = ['Ceramic', 'Glass', 'Cast iron', 'Porcelain', 'Bamboo'] as const;
export const sizes = ['Small', 'Medium', 'Large'] as const;
export const colours = ['Blue', 'Green', 'Sand', 'Black'] as const;
/** Surcharge for the large size. */
export const sizeExtra: Readonly<Record<string, number>> = { Small: 0, Medium: 4, Large: 9 };
export const coupons: Readonly<Record<string, number>> = { TEA10: 0.1 };

const makers = ['Asagi', 'Brook', 'Cedar', 'Dune', 'Ember', 'Fjord', 'Grove', 'Haven'] as const;

export const products: readonly Product[] = Array.from({ length: 192 }, (_, index) => {
  const kind = kinds[index % kinds.length] ?? 'cup';
  const material = materials[Math.floor(index / kinds.length) % materials.length] ?? 'Glass';
  const maker = makers[(index * 5) % makers.length] ?? '';
  return {
    id: 100 + index,
    name: `${maker} ${material.toLowerCase()} ${kind} ${index}`,
    kind,
    material,
    price: 12 + ((index * 17) % 60),
    stars: `${3 + (index % 2)}.${index % 10}`,
    reviews: 4 + ((index * 13) % 90),
    text: `A ${kind} for every day, made by hand in small numbers, safe in the dishwasher.`,
  };
});

export interface Query {
  readonly text: string;
  readonly material: string | undefined;
  readonly sort: string | undefined;
}

export function find({ text, material, sort }: Query): readonly Product[] {
  const found = products.filter(
    (product) => product.name.includes(text) && (material === undefined || product.material === material),
  );
  return sort === 'price' ? found.toSorted((a, b) => a.price - b.price || a.id - b.id) : found;
}

export const euros = (amount: number): string => `${amount.toFixed(2)} EUR`;
