for (let i = 0, n = list.length; i < n; i++) {}
for (const [key, value] of list) {}
for (var name in list) {}
