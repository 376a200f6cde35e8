function change(list, map, node) {
  list[0] = 1;
  list[i + 1] += 2;
  list.push(3);
  map.key = 4;
  map.total++;
  map.set('a', 5);
  delete map.key;
  delete map['other key'];
  Object.assign(map, {});
  node.addEventListener('click', () => {});
  node.once("load", done);
}
