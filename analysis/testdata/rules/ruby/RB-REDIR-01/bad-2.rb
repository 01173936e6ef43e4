require 'sinatra'

get '/out' do
  redirect params['url'] # ← here
end
