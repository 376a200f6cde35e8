const page = (
  <Layout.Page>
    <Header title={<Title />} />
    <></>
  </Layout.Page>
);
