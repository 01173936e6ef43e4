class ItemsController < ApplicationController
  def show
    @page = Net::HTTP.get(URI.parse("https://api.example.com/items/#{params[:id]}"))
  end
end
