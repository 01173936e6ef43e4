require 'sinatra'

get '/hello' do
  "<h1>Hello #{Rack::Utils.escape_html(params[:name])}</h1>"
end

get '/plain' do
  content_type :text
  "<#{params[:name]}>"
end
