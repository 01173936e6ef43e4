class ItemsController < ApplicationController
  def show
    system("convert", params[:file], "out.png")
    Open3.capture2("git", "log", params[:ref])
  end
end
