class ItemsController < ApplicationController
  def show
    @names = params[:names].select { |name| name.present? }
    render :show
  end
end
