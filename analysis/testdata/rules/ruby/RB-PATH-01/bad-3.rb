require 'sinatra'

get '/pages/:page' do
  File.open("pages/#{params['page']}").read # ← here
end
