const icon = <Icon name="star" />;
const line = <hr />;
