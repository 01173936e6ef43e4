class ItemsController < ApplicationController
  def show
    @title = "<b>#{params[:title]}</b>".html_safe # ← here
  end
end
