def generate_password
  Array.new(8) { rand(36).to_s(36) }.join # ← here
end
