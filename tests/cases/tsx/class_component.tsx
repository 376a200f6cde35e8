class Clock extends React.Component<Props> {
  state: State = { time: 0 };
  tick = () => this.setState({ time: 1 });
  render() {
    return <time>{this.state.time}</time>;
  }
}
