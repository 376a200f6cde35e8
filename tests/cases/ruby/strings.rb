a = "one  #{two( 1 )}  three"
b = %w[one  two]
c = /a  b/x
d = `ls   -l`
e = :"a  b"
f = ?\s
puts(<<~ONE, <<-'TWO')
  first  #{a.size}
ONE
  second
  TWO
__END__
left   over
