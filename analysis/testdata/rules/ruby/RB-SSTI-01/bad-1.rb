class ItemsController < ApplicationController
  def show
    render inline: "<h1>#{params[:title]}</h1>" # ← here
  end
end
