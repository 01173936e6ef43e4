require 'sinatra'
require 'open-uri'

get '/proxy' do
  URI.open("http://#{params[:host]}/status").read # ← here
end
