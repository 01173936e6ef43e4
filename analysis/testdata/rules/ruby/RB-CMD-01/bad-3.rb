require 'sinatra'
require 'open3'

post '/ping' do
  out, = Open3.capture2("ping -c 1 #{params['host']}") # ← here
  out
end
