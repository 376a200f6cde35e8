class String
  def shout = upcase
end

class String
  def whisper = downcase
end
