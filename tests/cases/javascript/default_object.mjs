export default {
  name: 'list',
  data() {
    return {};
  },
  methods: {
    save() {},
    load: async () => {},
  },
  watch: {
    save() {},
  },
};
