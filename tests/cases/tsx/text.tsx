const greeting = <p>Hello,  {name} {'!'}</p>;
