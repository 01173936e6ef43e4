require 'sinatra'
require 'yaml'

post '/import' do
  data = request.body.read
  YAML.unsafe_load(data) # ← here
end
