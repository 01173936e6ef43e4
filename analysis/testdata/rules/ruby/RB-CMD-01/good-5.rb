task :build do
  system("bundle exec rake assets")
  `git rev-parse HEAD`.strip
end
