delay = rand(5)
color = %w[red blue].sample
