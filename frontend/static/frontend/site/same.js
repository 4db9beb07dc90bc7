// Whether two sets of values by name are equal.

export function same(left, right) {
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name]);
}
