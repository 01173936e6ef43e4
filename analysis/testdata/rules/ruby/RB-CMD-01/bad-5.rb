class ItemsController < ApplicationController
  def show
    open(params[:file]).read # ← here
  end
end
